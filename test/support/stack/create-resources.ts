import { randomUUID } from "node:crypto";
import { type Operation, operations } from "./operations.ts";
import type { IdName } from "./taken-id.ts";

export type Ids = Readonly<Partial<Record<IdName, string>>>;

interface Creation {
  /** The path parameter that names such a resource. */
  readonly name: IdName;
  readonly operation: Operation;
}

/**
 * The operations that create a resource by POST, found by the paths below theirs. One whose request is refused, since it
 * needs a desktop of its own, creates none: its id is one that nothing has.
 */
const creations = operations.flatMap((operation): readonly Creation[] => {
  if (operation.method !== "POST" || operation.path.includes("{")) return [];
  const below = operations.flatMap(({ path }) =>
    path.startsWith(`${operation.path}/{`) ? [path.slice(operation.path.length + 2, path.indexOf("}"))] : [],
  );
  return below.slice(0, 1).map((name) => ({ name: name as IdName, operation }));
});

/**
 * Creates one of each resource that is not given, each after those that its body may name.
 *
 * @returns the ids with those given, and the session's where a run began one.
 */
export async function createResources<Given extends Ids>(
  post: (operation: Operation, body: unknown) => Promise<Readonly<Record<string, unknown>>>,
  given: Given,
): Promise<Given & Readonly<Record<IdName, string>>> {
  let ids: Ids = given;
  let left = creations.filter(({ name }) => ids[name] === undefined);
  while (left.length > 0) {
    const names: ReadonlySet<IdName | null> = new Set(left.map(({ name }) => name));
    const [next = [], later = []] = [true, false].map((isNext) =>
      left.filter(
        ({ name, operation: { takes = [] } }) =>
          takes.every(({ of }) => of === name || !names.has(of)) === isNext,
      ),
    );
    const world = ids;
    const made = await Promise.all(
      next.map(async ({ name, operation }) => {
        if (operation.status !== 201) return { [name]: randomUUID() };
        const body = await operation.body?.({ ...world, fingerprint: randomUUID() });
        const { id, session_id } = await post(operation, withoutSecrets({ ...body }));
        return { [name]: String(id), ...(typeof session_id === "string" && { session_id }) };
      }),
    );
    ids = Object.assign({}, ids, ...made);
    left = later;
  }
  return ids as Given & Readonly<Record<IdName, string>>;
}

/** An organization writes five secrets a second, and a test creates more resources. */
function withoutSecrets(body: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(
    Object.entries(body).filter(([field]) => !field.endsWith("_sensitive_parameters")),
  );
}
