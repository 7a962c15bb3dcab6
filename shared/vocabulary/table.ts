/** The table's indexes, each over its own pair of attributes `<index>_pk` and `<index>_sk`. */
export const indexNames = ["list", "filter1", "filter2", "filter3", "filter4", "due"] as const;
export type IndexName = (typeof indexNames)[number];

/** Shards of a counter: a transaction adds to one of them, so that creations seldom conflict. */
export const counterShards = 16;

/** What is due is listed in so many shards, each good for 1,000 writes a second. */
export const dueShards = 16;
