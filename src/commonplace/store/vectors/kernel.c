/* The inner loops of vector search in C99, without Python.h. compiled_kernel.py calls them; kernel_twin.py does the
 * same in numpy.
 *
 * Both give the same bits. Every float32 sum has one order, which is written below and in the twin, and the build
 * forbids the compiler to fuse a multiplication with an addition (-ffp-contract=off). Vector units only change how many
 * sums run beside each other, never the order within one. Everything after the distances is integers.
 *
 * SuCo: a vector has HALVES parts; its cell in a subspace is the pair of nearest centroids of two of them.
 */
#include <float.h>
#include <stdint.h>
#include <string.h>

#if !defined(FLT_EVAL_METHOD) || FLT_EVAL_METHOD != 0
#error "float32 sums are wider than float32 here: the answers would differ from the twin's"
#endif

#if defined(_WIN32)
#define PUBLIC __declspec(dllexport)
#else
#define PUBLIC __attribute__((visibility("default")))
#endif

#if defined(__GNUC__)
#define FETCH(address) __builtin_prefetch(address)
#else
#define FETCH(address) ((void)(address))
#endif

/* One body for each kind of processor, chosen when the library is loaded. AVX2 alone brings no fused operations. */
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__)
#define EACH_CPU __attribute__((target_clones("avx2", "default")))
#else
#define EACH_CPU
#endif

enum { SUBSPACES = 16, HALVES = 2 * SUBSPACES, CENTROIDS = 50, CELLS = CENTROIDS * CENTROIDS };
enum { BLOCK = 65536, LANES = 32, FORBIDDEN = 128 };

/* What compiled_kernel.py expects. Raise both with each change of what a function takes: a program that runs during an
 * upgrade may load the new library. */
PUBLIC int32_t commonplace_kernel(void) { return 1; }

/* Half the squared distance to each centroid, without the part that all have in common: |c|^2 / 2 - x.c */
static inline void half_distances(const float *x, int width, const float *centroids, const float *norms, float *out) {
    float sum[CENTROIDS];
    for (int c = 0; c < CENTROIDS; c++) sum[c] = norms[c];
    for (int j = 0; j < width; j++)
        for (int c = 0; c < CENTROIDS; c++) sum[c] -= x[j] * centroids[j * CENTROIDS + c];
    for (int c = 0; c < CENTROIDS; c++) out[c] = sum[c];
}

/* The first of the smallest. */
static inline int nearest_of(const float *distances) {
    float least = distances[0];
    for (int c = 1; c < CENTROIDS; c++) least = distances[c] < least ? distances[c] : least;
    for (int c = 0; c < CENTROIDS; c++)
        if (distances[c] == least) return c;
    return 0;
}

/* For each of n vectors and each half, the nearest centroid. The centroids of half h are rows bounds[h] .. bounds[h+1]
 * of `centroids`, one row a dimension. */
EACH_CPU PUBLIC void commonplace_assign(const float *vectors, int64_t n, int32_t d, const int32_t *bounds,
                                        const float *centroids, const float *norms, uint8_t *out) {
    float distances[CENTROIDS];
    for (int64_t i = 0; i < n; i++)
        for (int h = 0; h < HALVES; h++) {
            half_distances(vectors + i * d + bounds[h], bounds[h + 1] - bounds[h],
                           centroids + (int64_t)bounds[h] * CENTROIDS, norms + h * CENTROIDS, distances);
            out[i * HALVES + h] = (uint8_t)nearest_of(distances);
        }
}

/* Counting sort of the codes of a block's `rows` vectors. Each subspace has as many ids as rows: those of a cell,
 * ascending, at offsets[cell] .. [cell + 1]. */
PUBLIC void commonplace_list(const uint16_t *codes, int32_t rows, uint16_t *ids, uint32_t *offsets) {
    uint32_t next[CELLS];
    for (int s = 0; s < SUBSPACES; s++, ids += rows, offsets += CELLS + 1) {
        memset(offsets, 0, (CELLS + 1) * sizeof *offsets);
        for (int32_t i = 0; i < rows; i++) offsets[codes[(int64_t)i * SUBSPACES + s] + 1]++;
        for (int c = 0; c < CELLS; c++) offsets[c + 1] += offsets[c];
        memcpy(next, offsets, sizeof next);
        for (int32_t i = 0; i < rows; i++) ids[next[codes[(int64_t)i * SUBSPACES + s]]++] = (uint16_t)i;
    }
}

/* Insertion sort of the centroids by distance, then by number. */
static void sorted(const float *distances, int *order) {
    for (int c = 0; c < CENTROIDS; c++) {
        int at = c;
        for (; at > 0 && distances[order[at - 1]] > distances[c]; at--) order[at] = order[at - 1];
        order[at] = c;
    }
}

/* Where the ids of a cell are in one of the blocks: out[0] up to out[1]. */
static inline void segment(const uint16_t *const *ids, const uint32_t *const *offsets, int64_t n, int64_t b, int s,
                           int cell, const uint16_t **out) {
    int64_t rows = n - b * BLOCK < BLOCK ? n - b * BLOCK : BLOCK;
    const uint32_t *at = offsets[b] + s * (CELLS + 1) + cell;
    out[0] = ids[b] + s * rows + at[0];
    out[1] = ids[b] + s * rows + at[1];
}

/* Add to scores[] the grades of all vectors that collide with the query, those with allowed[] only where it is given.
 *
 * Dynamic Activation: one cursor in each activated row of the table of cells, rows and columns sorted by distance; the
 * nearest cell under a cursor comes next. A vector's grade depends on how many came in cells before its own: 4 up to
 * 1/16 of the budget, 3 up to 1/4, 2 up to 1/2, 1 up to all of it. While a cell is counted, memory fetches the next.
 * What is not allowed has the score FORBIDDEN and more until the end: grades add up to 64 at most. */
PUBLIC void commonplace_collide(const float *query, const int32_t *bounds, const float *centroids, const float *norms,
                                const uint16_t *const *ids, const uint32_t *const *offsets, int64_t n,
                                const uint8_t *allowed, int64_t budget, uint8_t *scores) {
    for (int64_t i = 0; allowed && i < n; i++) scores[i] = allowed[i] ? 0 : FORBIDDEN;
    for (int s = 0; s < SUBSPACES; s++) {
        float distances[2][CENTROIDS], key[CENTROIDS];
        int order[2][CENTROIDS], cursor[CENTROIDS], active = 1, cell = -1;
        for (int side = 0; side < 2; side++) {
            int h = 2 * s + side;
            half_distances(query + bounds[h], bounds[h + 1] - bounds[h], centroids + (int64_t)bounds[h] * CENTROIDS,
                           norms + h * CENTROIDS, distances[side]);
            sorted(distances[side], order[side]);
        }
        cursor[0] = 0;
        key[0] = distances[0][order[0][0]] + distances[1][order[1][0]];
        for (int64_t before = 0; before < budget;) {
            int row = -1, next = -1;
            for (int i = 0; i < active; i++)
                if (cursor[i] < CENTROIDS && (row < 0 || key[i] < key[row])) row = i;
            const uint16_t *id[2];
            if (row >= 0) {
                next = order[0][row] * CENTROIDS + order[1][cursor[row]];
                for (int64_t b = 0; b * BLOCK < n; b++) {
                    segment(ids, offsets, n, b, s, next, id);
                    FETCH(id[0]);
                    FETCH(id[1]);
                }
                if (cursor[row] == 0 && active < CENTROIDS) {
                    cursor[active] = 0;
                    key[active] = distances[0][order[0][active]] + distances[1][order[1][0]];
                    active++;
                }
                if (++cursor[row] < CENTROIDS)
                    key[row] = distances[0][order[0][row]] + distances[1][order[1][cursor[row]]];
            }
            uint8_t grade = (uint8_t)((before * 16 < budget) + (before * 4 < budget) + (before * 2 < budget) + 1);
            for (int64_t b = 0; cell >= 0 && b * BLOCK < n; b++) {
                uint8_t *score = scores + b * BLOCK;
                segment(ids, offsets, n, b, s, cell, id);
                before += id[1] - id[0];
                if (allowed)
                    for (const uint16_t *i = id[0]; i < id[1]; i++) before -= (score[*i] += grade) / FORBIDDEN;
                else
                    for (const uint16_t *i = id[0]; i < id[1]; i++) score[*i] += grade;
            }
            if (cell >= 0 && next < 0) break;
            cell = next;
        }
    }
    for (int64_t i = 0; allowed && i < n; i++) scores[i] = scores[i] < FORBIDDEN ? scores[i] : 0;
}

/* The positions of the `wanted` highest scores, ascending; of one score the first positions; none of score 0.
 * Returns how many there are. */
EACH_CPU PUBLIC int64_t commonplace_highest(const uint8_t *scores, int64_t n, int64_t wanted, int64_t *out) {
    int64_t counts[4][256] = {{0}}, found = 0, i = 0;
    for (; i + 4 <= n; i += 4)
        for (int lane = 0; lane < 4; lane++) counts[lane][scores[i + lane]]++;
    for (; i < n; i++) counts[0][scores[i]]++;
    int level = 255;
    int64_t above = 0;
    for (; level > 0; level--) {
        int64_t here = counts[0][level] + counts[1][level] + counts[2][level] + counts[3][level];
        if (above + here >= wanted) break;
        above += here;
    }
    int64_t ties = level ? wanted - above : 0;
    for (i = 0; i < n && found < wanted; i++) {
        if (i + 32 <= n) {
            int some = 0;
            for (int lane = 0; lane < 32; lane++) some |= scores[i + lane] >= level;
            if (level && !some) {
                i += 31;
                continue;
            }
        }
        if (scores[i] > level || (level && scores[i] == level && ties-- > 0)) out[found++] = i;
    }
    return found;
}

/* The products of `rows` vectors with the query: those at positions[], or the first ones where it is NULL. There are
 * LANES sums, by dimension modulo LANES, each in the order of dimensions; then the upper half of the sums is added to
 * the lower half until one is left. */
EACH_CPU PUBLIC void commonplace_dots(const float *vectors, int32_t d, const int64_t *positions, int64_t rows,
                                      const float *query, float *out) {
    for (int64_t i = 0; i < rows; i++) {
        const float *v = vectors + (positions ? positions[i] : i) * d;
        float sum[LANES] = {0};
        int32_t j = 0;
        for (; j + LANES <= d; j += LANES)
            for (int lane = 0; lane < LANES; lane++) sum[lane] += v[j + lane] * query[j + lane];
        for (int lane = 0; j + lane < d; lane++) sum[lane] += v[j + lane] * query[j + lane];
        for (int width = LANES / 2; width; width /= 2)
            for (int lane = 0; lane < width; lane++) sum[lane] += sum[lane + width];
        out[i] = sum[0];
    }
}

/* The products of n vectors of int8 with the query, which are integers. The query is int16, because processors multiply
 * and add pairs of int16 in one step. */
EACH_CPU PUBLIC void commonplace_dots8(const int8_t *codes, int64_t n, int32_t d, const int16_t *query, int32_t *out) {
    for (int64_t i = 0; i < n; i++) {
        const int8_t *v = codes + i * d;
        int32_t sum = 0;
        for (int32_t j = 0; j < d; j++) sum += (int32_t)(int16_t)v[j] * query[j];
        out[i] = sum;
    }
}
