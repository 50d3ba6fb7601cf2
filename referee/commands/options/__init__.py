"""The options that several commands share: `common` ones, those of a match's `lineup` (its contest,
bots and referee), those of an `arena`, and the `defaults` from a workspace's `onefile.toml`.
"""
