import { type Caller, requireScope } from "../access/caller.ts";
import { byOrder, describeTags, inListOrder } from "./describe-tags.ts";
import type { TagDeps } from "./tag-deps.ts";
import type { DescribedTag, TagGroup } from "./workflow-tag.ts";

export async function listTags(
  deps: Pick<TagDeps, "tags">,
  caller: Caller,
  input: { readonly includeArchived: boolean },
): Promise<readonly DescribedTag[]> {
  requireScope(caller, "read");
  const { organizationId } = caller;
  const all = await deps.tags.listTags(organizationId);
  const shown = all.filter((tag) => input.includeArchived || !tag.isArchived);
  return inListOrder(await describeTags(deps, organizationId, shown));
}

export async function listTagGroups(
  deps: Pick<TagDeps, "tags">,
  caller: Caller,
): Promise<readonly TagGroup[]> {
  requireScope(caller, "read");
  return (await deps.tags.listGroups(caller.organizationId)).toSorted(byOrder);
}
