import type * as z from "zod";
import { refuseValue } from "./common.ts";

type Strict<Shape extends z.ZodRawShape> = z.ZodObject<Shape, z.core.$strict>;

type Given = Readonly<Record<string, unknown>>;

/** One value for a field that several names may give: programs written for other services keep theirs. */
export interface Named {
  readonly path: readonly PropertyKey[];
  readonly value: unknown;
}

/** Returns the value that the names agree on, and refuses each later name that gives another one. */
export function agreed(context: z.core.$RefinementCtx, [first, ...others]: readonly Named[]): unknown {
  if (first === undefined) return undefined;
  for (const { path, value } of others) {
    if (JSON.stringify(value) === JSON.stringify(first.value)) continue;
    refuseValue(context, `another name of ${first.path.join(".")}, which has another value`, path);
  }
  return first.value;
}

/** Takes optional fields by other names as well; what is read has ours alone. */
export function withOtherNames<
  Shape extends z.ZodRawShape,
  const Names extends Readonly<Record<string, keyof Shape & string>>,
>(object: Strict<Shape>, names: Names) {
  const others = Object.fromEntries(
    Object.entries(names).map(([other, ours]) => [other, otherName(object, ours)]),
  ) as unknown as { readonly [Other in keyof Names]: Shape[Names[Other]] };
  return object
    .extend(others)
    .transform((given, context) => {
      const read = { ...(given as Given) };
      for (const [other, ours] of Object.entries(names)) {
        const values = [ours, other].map((name) => ({ path: [name], value: read[name] }));
        read[ours] = agreed(
          context,
          values.filter(({ value }) => value !== undefined),
        );
        if (read[ours] === undefined) delete read[ours];
        delete read[other];
      }
      return read as z.output<Strict<Shape>>;
    })
    .meta({ says: ["Where two names of a field are given, they have the same value."] });
}

function otherName<Shape extends z.ZodRawShape>(object: Strict<Shape>, ours: keyof Shape & string) {
  return (object.shape[ours] as unknown as z.ZodType).describe(`Another name of \`${ours}\`.`);
}
