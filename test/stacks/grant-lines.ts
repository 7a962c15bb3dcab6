import { grantsOf, listOf, type Statement, type Template } from "./synthesize.ts";

/** The actions that a function's role allows, each with its kind of items, else with its resource. */
export interface GrantLine {
  readonly name: string;
  readonly grants: readonly string[];
}

export function grantLinesOf(template: Template): readonly GrantLine[] {
  return grantsOf(template).map(({ name, statements }) => {
    const allowed = statements.filter(({ Effect }) => Effect === "Allow").flatMap(partsOf);
    return { name, grants: [...new Set(allowed)].sort() };
  });
}

function partsOf({ Action, Resource, Condition }: Statement): readonly string[] {
  const held = Condition as {
    readonly "ForAllValues:StringLike"?: Readonly<Record<string, readonly string[]>>;
  };
  const keys = held?.["ForAllValues:StringLike"]?.["dynamodb:LeadingKeys"];
  const on = keys ?? listOf<unknown>(Resource).map((resource) => JSON.stringify(resource));
  return listOf(Action).flatMap((action) => on.map((each) => `${action} ${each}`));
}
