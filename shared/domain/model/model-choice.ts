import type { CoveredProvider } from "../../vocabulary/providers.ts";
import type { JsonObject } from "../json.ts";

export interface ModelChoice {
  readonly provider: CoveredProvider;
  readonly model: string;
  /** Null is not sent, because newer models refuse the field. */
  readonly temperature: number | null;
  /** Null means the provider's own limit. */
  readonly maxOutputTokens: number | null;
  readonly timeoutSeconds: number;
  readonly additionalParams: JsonObject;
}
