"""Trees of tags from html.parser; builders registered by feature, guarded imports of others."""

import sys

import bs4
from bs4 import BeautifulSoup, Comment, FeatureNotFound, NavigableString
from bs4.element import Tag

soup = BeautifulSoup(sys.stdin.read(), "html.parser")
print(
    soup.title.string, [a["href"] for a in soup.find_all("a")], soup.select_one("ul > li.best").text
)
print(
    soup.select("li:not(.best), a[href^='/']"), soup.find(string=lambda s: isinstance(s, Comment))
)
item = soup.new_tag("li", attrs={"class": ["new", "x"]})
item.append(NavigableString("<third>"))
soup.ul.append(item)
print(soup.ul.prettify(), soup.ul.decode(formatter="minimal"), [t.name for t in item.parents])
print(list(soup.stripped_strings), type(soup.a), Tag.__mro__[1])
print(soup.find("li").find_next_sibling("li").get("class"), len(soup.find_all(True)), repr(soup.b))
try:
    BeautifulSoup("<a>", "html5lib")
except FeatureNotFound as error:
    print(type(error), error)
soup.select("li:::")
