/* An engine's side of EWAD: maps an archive, validates its metadata, finds lumps by name, decodes LZ4.
 *
 * Written from the specification of the format alone, in C11 with nothing but libc. It shares no code, no hash and no
 * decoder with Lumpyard, so that what both agree on is what the specification says.
 *
 *   engine check ARCHIVE...        one line each: "ok", or "malformed" or "unsupported" and why; 0 when all are ok
 *   engine cat ARCHIVE NAME        the raw bytes of a lump to standard output
 *   engine compare ARCHIVE LIST    every lump is, byte for byte, the file that LIST says; LIST has a line for each lump,
 *                                  "name<TAB>path", both with \t \n \r \\ \xNN for what would not fit on a line
 *
 * Exit status: 0 done, 1 the answer is no (with a line that says why), 2 wrong usage.
 */

#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HEADER_SIZE = 64, ENTRY_SIZE = 56, MAX_NAME = 255, FLAG_LZ4 = 1 };
#define NO_NAME UINT32_C(0xFFFFFFFF)
#define MAX_ALIGNMENT (UINT32_C(1) << 30)

/* ---- bytes, whatever the machine's own order ---- */

static uint16_t le16(const uint8_t *at) { return (uint16_t)(at[0] | at[1] << 8); }
static uint32_t le32(const uint8_t *at) { return (uint32_t)le16(at) | (uint32_t)le16(at + 2) << 16; }
static uint64_t le64(const uint8_t *at) { return (uint64_t)le32(at) | (uint64_t)le32(at + 4) << 32; }

/* ---- XXH64, fed in pieces ---- */

#define P1 UINT64_C(0x9E3779B185EBCA87)
#define P2 UINT64_C(0xC2B2AE3D27D4EB4F)
#define P3 UINT64_C(0x165667B19E3779F9)
#define P4 UINT64_C(0x85EBCA77C2B2AE63)
#define P5 UINT64_C(0x27D4EB2F165667C5)

typedef struct {
    uint64_t lane[4], seed, total;
    uint8_t left[32]; /* bytes that do not fill a stripe yet */
    size_t left_size;
} Xxh64;

static uint64_t rotl(uint64_t value, int bits) { return value << bits | value >> (64 - bits); }
static uint64_t round64(uint64_t lane, uint64_t input) { return rotl(lane + input * P2, 31) * P1; }

static Xxh64 xxh64_start(uint64_t seed) {
    return (Xxh64){.lane = {seed + P1 + P2, seed + P2, seed, seed - P1}, .seed = seed};
}

static void xxh64_stripe(Xxh64 *state, const uint8_t *at) {
    for (int lane = 0; lane < 4; lane++) state->lane[lane] = round64(state->lane[lane], le64(at + 8 * lane));
}

static void xxh64_add(Xxh64 *state, const uint8_t *data, uint64_t size) {
    state->total += size;
    if (state->left_size > 0) {
        size_t space = sizeof state->left - state->left_size;
        size_t taken = size < space ? (size_t)size : space;
        if (taken > 0) memcpy(state->left + state->left_size, data, taken);
        state->left_size += taken;
        data += taken;
        size -= taken;
        if (state->left_size < sizeof state->left) return;
        xxh64_stripe(state, state->left);
        state->left_size = 0;
    }
    for (; size >= 32; data += 32, size -= 32) xxh64_stripe(state, data);
    if (size > 0) memcpy(state->left, data, (size_t)size);
    state->left_size = (size_t)size;
}

static uint64_t xxh64_end(const Xxh64 *state) {
    uint64_t hash = state->seed + P5;
    if (state->total >= 32) {
        const uint64_t *lane = state->lane;
        hash = rotl(lane[0], 1) + rotl(lane[1], 7) + rotl(lane[2], 12) + rotl(lane[3], 18);
        for (int each = 0; each < 4; each++) hash = (hash ^ round64(0, lane[each])) * P1 + P4;
    }
    hash += state->total;
    const uint8_t *at = state->left, *end = at + state->left_size;
    for (; end - at >= 8; at += 8) hash = rotl(hash ^ round64(0, le64(at)), 27) * P1 + P4;
    if (end - at >= 4) {
        hash = rotl(hash ^ le32(at) * P1, 23) * P2 + P3;
        at += 4;
    }
    for (; at < end; at++) hash = rotl(hash ^ *at * P5, 11) * P1;
    hash = (hash ^ hash >> 33) * P2;
    hash = (hash ^ hash >> 29) * P3;
    return hash ^ hash >> 32;
}

static uint64_t xxh64(const uint8_t *data, uint64_t size, uint64_t seed) {
    Xxh64 state = xxh64_start(seed);
    xxh64_add(&state, data, size);
    return xxh64_end(&state);
}

/* ---- LZ4 blocks ---- */

/* A length that a token starts: 15 in its half means that bytes follow, to be added up to the first below 255. */
static bool lz4_length(const uint8_t *in, size_t in_size, size_t *at, uint64_t *length) {
    if (*length < 15) return true;
    for (;;) {
        if (*at >= in_size) return false;
        uint8_t more = in[(*at)++];
        *length += more;
        if (more < 255) return true;
    }
}

/* Whether a block decodes to exactly out_size bytes. Never reads or writes outside of either. */
static bool lz4_decode(const uint8_t *in, size_t in_size, uint8_t *out, size_t out_size) {
    size_t at = 0, made = 0;
    while (at < in_size) {
        uint8_t token = in[at++];
        uint64_t literals = token >> 4, match = token & 15;
        if (!lz4_length(in, in_size, &at, &literals)) return false;
        if (literals > in_size - at || literals > out_size - made) return false;
        if (literals > 0) memcpy(out + made, in + at, (size_t)literals);
        at += (size_t)literals;
        made += (size_t)literals;
        if (at == in_size) return made == out_size; /* the last sequence has literals only */
        if (in_size - at < 2) return false;
        size_t back = le16(in + at);
        at += 2;
        if (back == 0 || back > made) return false;
        if (!lz4_length(in, in_size, &at, &match)) return false;
        match += 4;
        if (match > out_size - made) return false;
        for (; match > 0; match--, made++) out[made] = out[made - back]; /* may overlap: byte by byte */
    }
    return false; /* no token for the last sequence */
}

/* ---- archives ---- */

typedef struct {
    const char *path;
    const uint8_t *data; /* NULL when the file is empty */
    uint64_t size;
} Map;

typedef struct {
    Map map;
    uint64_t seed, directory, table, table_size;
    uint32_t lumps;
} Archive;

typedef struct {
    uint64_t key, offset, stored_size, raw_size, content_hash;
    uint32_t name_offset, reserved;
    uint16_t flags;
} Entry;

static void complain(const char *path, const char *format, ...) {
    va_list values;
    va_start(values, format);
    fprintf(stderr, "%s: ", path);
    vfprintf(stderr, format, values);
    fputc('\n', stderr);
    va_end(values);
}

static bool map_file(const char *path, Map *map) {
    struct stat status;
    int file = open(path, O_RDONLY);
    if (file < 0 || fstat(file, &status) != 0) {
        complain(path, "cannot be opened: %s", strerror(errno));
        if (file >= 0) close(file);
        return false;
    }
    *map = (Map){.path = path, .data = NULL, .size = (uint64_t)status.st_size};
    if (map->size > 0) {
        void *data = mmap(NULL, (size_t)map->size, PROT_READ, MAP_PRIVATE, file, 0);
        if (data == MAP_FAILED) {
            complain(path, "cannot be mapped: %s", strerror(errno));
            close(file);
            return false;
        }
        map->data = data;
    }
    close(file);
    return true;
}

static void unmap_file(const Map *map) {
    if (map->data != NULL) munmap((void *)(uintptr_t)map->data, (size_t)map->size);
}

static Entry entry_at(const Archive *archive, uint32_t index) {
    const uint8_t *at = archive->map.data + archive->directory + (uint64_t)index * ENTRY_SIZE;
    return (Entry){
        .key = le64(at),
        .offset = le64(at + 8),
        .stored_size = le64(at + 16),
        .raw_size = le64(at + 24),
        .content_hash = le64(at + 32),
        .name_offset = le32(at + 44),
        .flags = le16(at + 50),
        .reserved = le32(at + 52),
    };
}

/* The name at an offset of the string table, and its size: 0 when there is no name of 1 to 255 bytes with its NUL. */
static const uint8_t *name_at(const Archive *archive, uint32_t offset, size_t *size) {
    *size = 0;
    if (offset >= archive->table_size) return NULL;
    uint64_t left = archive->table_size - offset;
    const uint8_t *name = archive->map.data + archive->table + offset;
    const uint8_t *nul = memchr(name, 0, left > MAX_NAME + 1 ? MAX_NAME + 1 : (size_t)left);
    if (nul != NULL) *size = (size_t)(nul - name);
    return name;
}

static bool fits(uint64_t offset, uint64_t size, uint64_t file_size) {
    return offset <= file_size && size <= file_size - offset;
}

/* What is wrong with a header, or NULL; fills the archive. */
static const char *check_header(Archive *archive) {
    const uint8_t *data = archive->map.data;
    uint64_t size = archive->map.size;
    if (size < 4 || memcmp(data, "EWAD", 4) != 0) return "no EWAD signature";
    if (size < HEADER_SIZE) return "shorter than its header";
    if (le32(data + 4) != 2) return "version";
    uint32_t alignment = le32(data + 12);
    if (alignment == 0 || alignment > MAX_ALIGNMENT || (alignment & (alignment - 1)) != 0) return "alignment";
    if (le64(data + 56) != 0) return "reserved header bytes";
    archive->lumps = le32(data + 8);
    archive->seed = le64(data + 16);
    archive->directory = le64(data + 24);
    archive->table = le64(data + 32);
    archive->table_size = le64(data + 40);
    uint64_t directory_size = (uint64_t)archive->lumps * ENTRY_SIZE;
    if (archive->directory < HEADER_SIZE || archive->table < HEADER_SIZE) return "directory or table in the header";
    if (!fits(archive->directory, directory_size, size)) return "directory outside the file";
    if (!fits(archive->table, archive->table_size, size)) return "string table outside the file";

    uint8_t header[HEADER_SIZE];
    memcpy(header, data, HEADER_SIZE);
    memset(header + 48, 0, 8);
    Xxh64 state = xxh64_start(0);
    xxh64_add(&state, header, HEADER_SIZE);
    xxh64_add(&state, data + archive->directory, directory_size);
    xxh64_add(&state, data + archive->table, archive->table_size);
    return xxh64_end(&state) == le64(data + 48) ? NULL : "header hash";
}

/* What is wrong with an entry, or NULL. */
static const char *check_entry(const Archive *archive, const Entry *entry) {
    if (entry->reserved != 0) return "reserved entry bytes";
    if (entry->offset % le32(archive->map.data + 12) != 0) return "offset not aligned";
    if (!fits(entry->offset, entry->stored_size, archive->map.size)) return "lump outside the file";
    if (entry->stored_size > 0 && entry->offset < HEADER_SIZE) return "lump in the header";
    if (archive->table_size == 0) {
        if (entry->name_offset != NO_NAME) return "name offset without a string table";
    } else {
        size_t size;
        const uint8_t *name = name_at(archive, entry->name_offset, &size);
        if (size == 0) return "name";
        if (xxh64(name, size, archive->seed) != entry->key) return "key is not the hash of the name";
    }
    if (!(entry->flags & FLAG_LZ4) && entry->raw_size != entry->stored_size) return "raw size";
    return NULL;
}

/* "ok", "malformed" or "unsupported"; and which rule is broken. */
static const char *validate(Archive *archive, const char **why) {
    *why = check_header(archive);
    if (*why != NULL) return "malformed";
    bool flagged = false;
    uint64_t key_before = 0;
    for (uint32_t index = 0; index < archive->lumps; index++) {
        Entry entry = entry_at(archive, index);
        *why = index > 0 && entry.key <= key_before ? "keys not ascending" : check_entry(archive, &entry);
        if (*why != NULL) return "malformed";
        key_before = entry.key;
        flagged = flagged || (entry.flags & ~FLAG_LZ4) != 0;
    }
    *why = flagged ? "reserved flag" : "";
    return flagged ? "unsupported" : "ok";
}

static bool open_archive(const char *path, Archive *archive) {
    const char *why = "";
    *archive = (Archive){.lumps = 0};
    if (!map_file(path, &archive->map)) return false;
    const char *verdict = validate(archive, &why);
    if (strcmp(verdict, "ok") == 0) return true;
    complain(path, "%s (%s)", verdict, why);
    unmap_file(&archive->map);
    return false;
}

/* The index of a lump by binary search for its name's key; -1 when there is none. */
static int64_t find(const Archive *archive, const uint8_t *name, size_t name_size) {
    uint64_t key = xxh64(name, name_size, archive->seed);
    uint32_t low = 0, high = archive->lumps;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (entry_at(archive, middle).key < key) low = middle + 1;
        else high = middle;
    }
    if (low == archive->lumps) return -1;
    Entry entry = entry_at(archive, low);
    if (entry.key != key) return -1;
    if (archive->table_size > 0) {
        size_t size;
        const uint8_t *found = name_at(archive, entry.name_offset, &size);
        if (size != name_size || memcmp(found, name, size) != 0) return -1;
    }
    return low;
}

/* The raw bytes of a lump, to be freed where *copy says so; NULL, with a complaint, when they are damaged. */
static const uint8_t *raw_bytes(const Archive *archive, uint32_t index, uint8_t **copy) {
    Entry entry = entry_at(archive, index);
    const uint8_t *stored = archive->map.data + entry.offset;
    *copy = NULL;
    if (xxh64(stored, entry.stored_size, 0) != entry.content_hash) {
        complain(archive->map.path, "lump %" PRIu32 ": content hash", index);
        return NULL;
    }
    if (!(entry.flags & FLAG_LZ4)) return stored;
    bool possible = entry.raw_size / 255 <= entry.stored_size; /* no LZ4 block holds more */
    *copy = possible ? malloc(entry.raw_size > 0 ? (size_t)entry.raw_size : 1) : NULL;
    if (*copy != NULL && lz4_decode(stored, (size_t)entry.stored_size, *copy, (size_t)entry.raw_size)) return *copy;
    free(*copy);
    *copy = NULL;
    complain(archive->map.path, "lump %" PRIu32 ": LZ4 block does not hold %" PRIu64 " bytes", index, entry.raw_size);
    return NULL;
}

/* ---- commands ---- */

static int check(int archives, char **paths) {
    int status = 0;
    for (int each = 0; each < archives; each++) {
        Archive archive = {.lumps = 0};
        const char *why = "";
        if (!map_file(paths[each], &archive.map)) return 1;
        const char *verdict = validate(&archive, &why);
        printf("%s%s%s\n", verdict, *why ? ": " : "", why);
        if (strcmp(verdict, "ok") != 0) status = 1;
        unmap_file(&archive.map);
    }
    return status;
}

static int cat(const char *path, const char *name) {
    Archive archive;
    if (!open_archive(path, &archive)) return 1;
    uint8_t *copy = NULL;
    int64_t index = find(&archive, (const uint8_t *)name, strlen(name));
    const uint8_t *raw = index < 0 ? NULL : raw_bytes(&archive, (uint32_t)index, &copy);
    if (index < 0) complain(path, "no lump %s", name);
    int status = raw == NULL ? 1 : 0;
    if (raw != NULL) {
        size_t size = (size_t)entry_at(&archive, (uint32_t)index).raw_size;
        if (fwrite(raw, 1, size, stdout) != size || fflush(stdout) != 0) status = 1;
    }
    free(copy);
    unmap_file(&archive.map);
    return status;
}

static int hex(uint8_t digit) {
    if (digit >= '0' && digit <= '9') return digit - '0';
    if (digit >= 'a' && digit <= 'f') return digit - 'a' + 10;
    if (digit >= 'A' && digit <= 'F') return digit - 'A' + 10;
    return -1;
}

/* Undoes the escapes of a field in place, and ends it with a NUL; its size, or -1 when an escape is unknown. */
static int64_t unescape(char *field, size_t size) {
    size_t out = 0;
    for (size_t in = 0; in < size; in++) {
        char byte = field[in];
        if (byte == '\\') {
            if (++in >= size) return -1;
            byte = field[in];
            if (byte == 'x') {
                int high = size - in > 2 ? hex((uint8_t)field[in + 1]) : -1;
                int low = size - in > 2 ? hex((uint8_t)field[in + 2]) : -1;
                if (high < 0 || low < 0) return -1;
                byte = (char)(high << 4 | low);
                in += 2;
            } else if (byte == 't') byte = '\t';
            else if (byte == 'n') byte = '\n';
            else if (byte == 'r') byte = '\r';
            else if (byte != '\\') return -1;
        }
        field[out++] = byte;
    }
    field[out] = '\0';
    return (int64_t)out;
}

/* Whether the lump of a name is the file at a path, and was not asked for before. */
static bool compare_lump(const Archive *archive, const char *name, size_t name_size, const char *path, bool *seen) {
    int64_t index = find(archive, (const uint8_t *)name, name_size);
    if (index < 0 || seen[index]) {
        complain(archive->map.path, index < 0 ? "no lump %s" : "lump %s is listed twice", name);
        return false;
    }
    seen[index] = true;
    Map file;
    if (!map_file(path, &file)) return false;
    uint8_t *copy;
    const uint8_t *raw = raw_bytes(archive, (uint32_t)index, &copy);
    bool same = raw != NULL && entry_at(archive, (uint32_t)index).raw_size == file.size;
    if (same && file.size > 0) same = memcmp(raw, file.data, (size_t)file.size) == 0;
    if (raw != NULL && !same) complain(archive->map.path, "lump %s is not the file %s", name, path);
    free(copy);
    unmap_file(&file);
    return same;
}

static bool compare_lines(const Archive *archive, FILE *list, bool *seen) {
    char *line = NULL;
    size_t room = 0;
    uint64_t lines = 0;
    bool same = true;
    for (ssize_t size; same && (size = getline(&line, &room, list)) >= 0; lines++) {
        if (size > 0 && line[size - 1] == '\n') size--;
        char *tab = memchr(line, '\t', (size_t)size);
        char *path = tab == NULL ? NULL : tab + 1;
        int64_t name_size = tab == NULL ? -1 : unescape(line, (size_t)(tab - line));
        same = name_size >= 0 && unescape(path, (size_t)(line + size - path)) >= 0;
        if (!same) complain(archive->map.path, "line %" PRIu64 " of the list is not name<TAB>path", lines + 1);
        else same = compare_lump(archive, line, (size_t)name_size, path, seen);
    }
    free(line);
    if (same && lines != archive->lumps) {
        complain(archive->map.path, "%" PRIu32 " lumps, but %" PRIu64 " are listed", archive->lumps, lines);
        same = false;
    }
    return same;
}

static int compare(const char *path, const char *list_path) {
    Archive archive;
    if (!open_archive(path, &archive)) return 1;
    FILE *list = fopen(list_path, "rb");
    bool *seen = calloc((size_t)archive.lumps + 1, sizeof *seen);
    bool same = false;
    if (list == NULL || seen == NULL) complain(list_path, "cannot be read");
    else same = compare_lines(&archive, list, seen);
    if (same) printf("%s: %" PRIu32 " lumps are the files of the list\n", path, archive.lumps);
    if (list != NULL) fclose(list);
    free(seen);
    unmap_file(&archive.map);
    return same ? 0 : 1;
}

int main(int argc, char **argv) {
    if (argc >= 3 && strcmp(argv[1], "check") == 0) return check(argc - 2, argv + 2);
    if (argc == 4 && strcmp(argv[1], "cat") == 0) return cat(argv[2], argv[3]);
    if (argc == 4 && strcmp(argv[1], "compare") == 0) return compare(argv[2], argv[3]);
    fputs("usage: engine check ARCHIVE... | cat ARCHIVE NAME | compare ARCHIVE LIST\n", stderr);
    return 2;
}
