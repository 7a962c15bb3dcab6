import type { JsonObject } from "../../../infra/local/template/json.ts";
import { makeServiceApp, resourcesOf, templatesOf } from "../../stacks/synthesize.ts";

export function streamPatterns(): {
  readonly matcher: readonly JsonObject[];
  readonly projector: readonly JsonObject[];
} {
  const { service } = templatesOf(makeServiceApp());
  const mappings = resourcesOf(service, "AWS::Lambda::EventSourceMapping");
  const of = (name: string): readonly JsonObject[] => {
    const mapping = mappings.find(({ Properties }) => JSON.stringify(Properties.FunctionName).includes(name));
    const filters: readonly { readonly Pattern: string }[] = mapping?.Properties.FilterCriteria.Filters ?? [];
    if (filters.length === 0) throw new Error(`the stream of ${name} has no filters`);
    return filters.map(({ Pattern }) => JSON.parse(Pattern));
  };
  return { matcher: of("matcher"), projector: of("projector") };
}
