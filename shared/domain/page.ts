/** `skip` from 0, `limit` 1 to 1,000. */
export interface PageRequest {
  readonly skip: number;
  readonly limit: number;
}

export interface Page<T> {
  readonly items: readonly T[];
  /** Exact and immediately consistent. */
  readonly total: number;
}

/** ISO 8601, both ends included. */
export interface CreatedRange {
  readonly createdAtFrom?: string;
  readonly createdAtTo?: string;
}

export interface UpdatedRange {
  readonly updatedAtFrom?: string;
  readonly updatedAtTo?: string;
}
