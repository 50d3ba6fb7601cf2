"""The package is a data file and the way to it."""

import certifi

print(certifi.contents().count("BEGIN CERTIFICATE") > 50, certifi.where().endswith("cacert.pem"))
