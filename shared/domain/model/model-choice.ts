import type { CoveredProvider } from "../../vocabulary/providers.ts";
import type { JsonObject } from "../json.ts";

export interface ModelChoice {
  readonly provider: CoveredProvider;
  readonly model: string;
  /** Null: not sent, since newer models refuse it. */
  readonly temperature: number | null;
  /** Null: the provider's own. */
  readonly maxOutputTokens: number | null;
  readonly timeoutSeconds: number;
  readonly additionalParams: JsonObject;
}
