import * as z from "zod";
import { isSupportedOperator } from "./policy-condition.ts";

const Text = z
  .union([z.string(), z.boolean(), z.number()], { error: "something that is no string" })
  .transform(String)
  .refine((text) => !text.includes("${"), { error: "a policy variable" });

const Texts = z.preprocess((value) => (Array.isArray(value) ? value : [value]), z.array(Text));

const Statement = z
  .strictObject({
    Sid: z.unknown().optional(),
    Effect: z.enum(["Allow", "Deny"], { error: ({ input }) => `the effect ${JSON.stringify(input)}` }),
    Action: Texts.optional(),
    NotAction: Texts.optional(),
    Resource: Texts.optional(),
    NotResource: Texts.optional(),
    Condition: z.record(z.string().refine(isSupportedOperator), z.record(z.string(), Texts)).default({}),
  })
  .refine(({ Action, NotAction }) => (Action === undefined) !== (NotAction === undefined), {
    error: "either Action or NotAction is needed",
  })
  .refine(({ Resource, NotResource }) => (Resource === undefined) !== (NotResource === undefined), {
    error: "either Resource or NotResource is needed",
  })
  .transform(({ Effect: effect, Condition: conditions, ...statement }) => ({
    effect,
    actions: scopeOf(statement.Action, statement.NotAction),
    resources: scopeOf(statement.Resource, statement.NotResource),
    conditions,
  }));

const Document = z.object({
  Statement: z.preprocess((value) => (Array.isArray(value) ? value : [value]), z.array(Statement)),
});

export type PolicyStatement = z.output<typeof Statement>;

export interface Scope {
  readonly negated: boolean;
  readonly patterns: readonly string[];
}

export interface PolicyDocument {
  readonly statements: readonly PolicyStatement[];
}

/**
 * A policy that cannot be evaluated is refused, because a guess would hide a missing grant.
 *
 * @param document must have every intrinsic function resolved.
 * @throws {Error} for whatever the evaluator does not know.
 */
export function parsePolicyDocument(document: unknown): PolicyDocument {
  const { data, error } = Document.safeParse(document);
  if (error !== undefined) throw new Error(`a policy cannot be judged: ${z.prettifyError(error)}`);
  return { statements: data.Statement };
}

function scopeOf(plain: readonly string[] | undefined, negated: readonly string[] = []): Scope {
  return { negated: plain === undefined, patterns: plain ?? negated };
}
