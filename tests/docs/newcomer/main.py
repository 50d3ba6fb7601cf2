from sums import total

print(total(input()))
