import type { FormSchema } from "../../parts/form/schema-fields.ts";

const looks = {
  name: { type: "string", title: "Name", maxLength: 100 },
  emoji: { type: "string", title: "Emoji", maxLength: 10 },
  color: { type: "string", title: "Color", description: "As CSS has it, such as #1f7a8c.", maxLength: 20 },
  description: { type: "string", title: "Description", maxLength: 200 },
} as const;

export const groupForm: FormSchema = { required: ["name"], properties: looks };

/** The group is an id in the API, and a name here: `groupIdOf` joins them. */
export function tagForm(groupNames: readonly string[]): FormSchema {
  const group = {
    title: "Group",
    description: "A workflow has at most one tag of a group.",
    enum: groupNames,
  };
  return {
    required: ["name"],
    properties: groupNames.length === 0 ? looks : { ...looks, group },
  };
}

/** A form's values, with the id of the group that has this name in place of the name. */
export function withGroupId(
  { group, ...values }: Readonly<Record<string, unknown>>,
  groups: readonly { readonly id: string; readonly name: string }[],
): Readonly<Record<string, unknown>> {
  if (group === undefined) return values;
  return { ...values, group_id: groups.find(({ name }) => name === group)?.id ?? null };
}
