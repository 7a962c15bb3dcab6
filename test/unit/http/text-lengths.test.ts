import { describe, expect, it } from "vitest";
import * as z from "zod";
import { WriteFileBody } from "../../../shared/contract/computer/computer-system.ts";
import { allOperations } from "../../../shared/contract/operations/all-operations.ts";
import type { Operation } from "../../../shared/contract/operations/operation.ts";
import { HelloMessage } from "../../../shared/contract/tunnel.ts";
import { inlineFileBytesMax } from "../../../shared/vocabulary/drivers.ts";

interface BoundedText {
  readonly place: string;
  readonly schema: z.ZodString;
  readonly min: number;
  readonly max: number;
}

/** One code point, two UTF-16 units, four bytes; and a letter of as many. */
const characters = ["🧾", "𝒜"];

function textsIn(schema: z.core.$ZodType, place: string, seen: Set<unknown>): readonly BoundedText[] {
  if (seen.has(schema)) return [];
  seen.add(schema);
  const def = schema._zod.def as {
    readonly shape?: z.core.$ZodShape;
    readonly options?: readonly z.core.$ZodType[];
    readonly getter?: () => z.core.$ZodType;
  } & Partial<Record<"element" | "innerType" | "keyType" | "valueType" | "in" | "out", z.core.$ZodType>>;
  if (schema instanceof z.ZodString) {
    const { minLength: min = 0, maxLength: max } = z.toJSONSchema(schema) as z.core.JSONSchema.StringSchema;
    return max === undefined ? [] : [{ place, schema, min, max }];
  }
  const inner = [def.element, def.innerType, def.keyType, def.valueType, def.in, def.out, def.getter?.()];
  return [
    ...Object.entries(def.shape ?? {}).flatMap(([name, field]) => textsIn(field, `${place}.${name}`, seen)),
    ...[...inner, ...(def.options ?? [])].flatMap((each) =>
      each === undefined ? [] : textsIn(each, place, seen),
    ),
  ];
}

const requests = [
  ...(allOperations as readonly Operation[]).flatMap(({ id, body, query }) => [
    { id: `${id} body`, schema: body },
    { id: `${id} query`, schema: query },
  ]),
  { id: "hello", schema: HelloMessage },
];
const seen = new Set<unknown>();
const bounded = requests.flatMap(({ id, schema }) => (schema === undefined ? [] : textsIn(schema, id, seen)));

const takes = ({ schema }: BoundedText, text: string) => schema.safeParse(text).success;

/** Texts of non-ASCII characters, after the prefix that the pattern requires; undefined where it accepts none. */
function filled({ schema, min, max }: BoundedText) {
  const texts = ["", "https://a/"].flatMap((prefix) =>
    characters.map((each) => (length: number) => prefix + each.repeat(length - prefix.length)),
  );
  return texts.find((fill) => schema.safeParse(fill(Math.max(min, Math.floor(max / 2)))).success);
}

describe("the length of a text in a request", () => {
  it("counts code points, in every bound", () => {
    const texts = bounded.flatMap((each) => {
      const fill = filled(each);
      return fill === undefined ? [] : [{ ...each, fill }];
    });
    expect(texts.length).toBeGreaterThan(40);
    const wrong = texts.filter(
      (each) => !takes(each, each.fill(each.max)) || takes(each, each.fill(each.max + 1)),
    );
    expect(wrong.map(({ place }) => place)).toEqual([]);
    const short = texts.filter(({ min }) => min > 1);
    expect(short.filter((each) => takes(each, "🧾".repeat(each.min - 1))).map(({ place }) => place)).toEqual(
      [],
    );
  });

  it("is that of ASCII in the few others, where all count alike", () => {
    const others = bounded.filter((each) => filled(each) === undefined);
    const fields = new Set(others.map(({ place }) => place.replace(/^.* /, "")));
    expect([...fields].sort()).toEqual([
      "body.as_input",
      "body.content_type",
      "body.cron",
      "body.model_metadata.model",
      "body.steps.session_alias",
      "body.text",
      "body.time_zone",
    ]);
  });
});

describe("the content of a file in a request", () => {
  it.each([0, 1, 2])("is bounded to the byte: %i bytes above it", (above) => {
    const content = Buffer.alloc(inlineFileBytesMax + above).toString("base64");
    const { success, error } = WriteFileBody.safeParse({ path: "a", content });
    expect([success, error?.issues.map(({ path }) => path)]).toEqual(
      above === 0 ? [true, undefined] : [false, [["content"]]],
    );
  });
});
