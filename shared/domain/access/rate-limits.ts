/** One bucket of requests in a fixed window of 60 seconds. */
export interface RateBucket {
  /** For example `jwt-user#<user id>`, `address#<address>`, `connect#<machine>`. Never a secret. */
  readonly name: string;
  readonly limit: number;
}

export type RateDecision =
  | {
      readonly kind: "allowed";
      readonly limit: number;
      readonly remaining: number;
      readonly resetSeconds: number;
    }
  | {
      readonly kind: "refused";
      readonly limit: number;
      readonly resetSeconds: number;
      readonly retryAfterSeconds: number;
    };

export interface RateLimiter {
  /** Counts one request, unless the bucket is full: refused requests are not counted. One write. */
  take(bucket: RateBucket): Promise<RateDecision>;
}
