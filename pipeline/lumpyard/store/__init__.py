"""What was made before: segment files of cooked results, raw bytes and LZ4 blocks, found by digest."""

from lumpyard.store.cooked import Ask, CookedRecord, KeptProduct
from lumpyard.store.digests import encode_digest, encode_digests
from lumpyard.store.records import Kind
from lumpyard.store.store import Store
from lumpyard.store.survey import StoreInfo
from lumpyard.store.trimming import TrimResult

__all__ = [
    "Ask",
    "CookedRecord",
    "KeptProduct",
    "Kind",
    "Store",
    "StoreInfo",
    "TrimResult",
    "encode_digest",
    "encode_digests",
]
