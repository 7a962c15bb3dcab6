import { _ZodString, ZodRecord, type ZodString, type record as zodRecord } from "zod/v4";
import { _string, type $ZodStringParams, util } from "zod/v4/core";

/** zod as bundles get it, by `shakable-strings.ts`; no source imports it. */
export * from "zod/v4";

/** The class below zod's own, whose deprecated methods (`z.string().email()`) name every format. */
export const string = (params?: string | $ZodStringParams): ZodString =>
  _string(_ZodString as unknown as typeof ZodString, params);

/** Without zod 3's form with a single schema, for which zod makes one of its own strings. */
export const record: typeof zodRecord = (keyType, valueType, params) => {
  const parts = { keyType, valueType: valueType as never };
  return new ZodRecord({ type: "record", ...parts, ...util.normalizeParams(params) }) as never;
};
