import type { OrganizationId } from "../organization-id.ts";

/** Only a longer call counts, so a short one costs no write, and the count is exact within a second. */
export const countedAfterMs = 500;

export interface CallUnderWay {
  readonly organizationId: OrganizationId;
  readonly requestId: string;
}

/** Each call has an attribute in one row: adding and removing it is idempotent, where a counter would drift. */
export interface CallsUnderWay {
  begin(call: CallUnderWay, leaseUntilMs: number): Promise<void>;
  end(call: CallUnderWay): Promise<void>;
}
