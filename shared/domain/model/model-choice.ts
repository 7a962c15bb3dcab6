import type { CoveredProvider } from "../../vocabulary/providers.ts";
import type { JsonObject } from "../json.ts";

/** A model, and how it is asked. */
export interface ModelChoice {
  readonly provider: CoveredProvider;
  /** As the provider names it. */
  readonly model: string;
  /** Null: not sent, since newer models refuse it. */
  readonly temperature: number | null;
  /** Null: the provider's own. */
  readonly maxOutputTokens: number | null;
  /** The time-out of one call. */
  readonly timeoutSeconds: number;
  /** The provider's own settings, sent as they are. */
  readonly additionalParams: JsonObject;
}
