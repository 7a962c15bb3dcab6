import { Ajv, type Options, type ValidateFunction } from "ajv";
import { Ajv2019 } from "ajv/dist/2019.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import ajvFormats from "ajv-formats";

export type Dialect = "2020-12" | "2019-09" | "draft-07";

const classes = { "2020-12": Ajv2020, "2019-09": Ajv2019, "draft-07": Ajv } satisfies Record<
  Dialect,
  new (
    options: Options,
  ) => unknown
>;

const metaSchemas: Record<Dialect, string> = {
  "2020-12": "https://json-schema.org/draft/2020-12/schema",
  "2019-09": "https://json-schema.org/draft/2019-09/schema",
  "draft-07": "http://json-schema.org/draft-07/schema",
};

/** Unknown keywords are ignored, as JSON Schema requires; nothing is fetched; `toString` is not a property. */
const options: Options = { strict: false, logger: false, ownProperties: true };

const judges = new Map<Dialect, ValidateFunction>();

/** Each is compiled once, because that takes tens of milliseconds. */
export function metaSchemaOf(dialect: Dialect): ValidateFunction {
  const known = judges.get(dialect);
  if (known) return known;
  const judge = createAjv(dialect, options).getSchema(metaSchemas[dialect]);
  if (judge === undefined) throw new Error(`ajv has no meta-schema of ${dialect}`);
  // A validator compiles at its first call.
  judge({});
  judges.set(dialect, judge);
  return judge;
}

/** Each schema has a separate instance, so that no two share `$id`s, and an interrupted compilation leaves nothing. */
export function compileSchema(dialect: Dialect, schema: object): ValidateFunction {
  // `metaSchemaOf` has checked the schema before.
  const ajv = createAjv(dialect, { ...options, allErrors: true, meta: false, validateSchema: false });
  return ajv.compile(schema);
}

function createAjv(dialect: Dialect, given: Options) {
  const ajv = new classes[dialect](given);
  // The package's own typings fit only CommonJS.
  (ajvFormats as unknown as (target: typeof ajv) => void)(ajv);
  return ajv;
}
