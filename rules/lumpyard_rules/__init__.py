"""The rules that come with Lumpyard, one module an asset kind, found through entry points."""
