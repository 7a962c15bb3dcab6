import { _ZodString, ZodRecord, type ZodString, type record as zodRecord } from "zod/v4";
import { _string, type $ZodStringParams, util } from "zod/v4/core";

/** `shakable-strings.ts` gives this to bundles; no source imports it. */
export * from "zod/v4";

/** zod's own class has deprecated methods (`z.string().email()`) that name every format. */
export const string = (params?: string | $ZodStringParams): ZodString =>
  _string(_ZodString as unknown as typeof ZodString, params);

/** zod 3's form with a single schema would need one of zod's own strings. */
export const record: typeof zodRecord = (keyType, valueType, params) => {
  const parts = { keyType, valueType: valueType as never };
  return new ZodRecord({ type: "record", ...parts, ...util.normalizeParams(params) }) as never;
};
