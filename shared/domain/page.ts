/** `skip` counts from 0, and `limit` is 1 to 1,000. */
export interface PageRequest {
  readonly skip: number;
  readonly limit: number;
}

export interface Page<T> {
  readonly items: readonly T[];
  /** The total is exact and immediately consistent. */
  readonly total: number;
}

/** Times are ISO 8601, with both ends included. */
export interface CreatedRange {
  readonly createdAtFrom?: string;
  readonly createdAtTo?: string;
}

export interface UpdatedRange {
  readonly updatedAtFrom?: string;
  readonly updatedAtTo?: string;
}
