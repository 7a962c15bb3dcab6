/** Which table an operator's command works on. */
export type TableTarget =
  | { readonly kind: "local" }
  | { readonly kind: "table"; readonly tableName: string; readonly region: string | undefined }
  | { readonly kind: "deployment"; readonly deployment: string; readonly region: string | undefined };

/** @throws {Error} one sentence, when they exclude each other. */
export function targetOf(values: {
  readonly table?: string | undefined;
  readonly deployment?: string | undefined;
  readonly region?: string | undefined;
}): TableTarget {
  const { table, deployment, region } = values;
  if (table !== undefined && deployment !== undefined)
    throw new Error("give --table or --deployment, not both");
  if (table !== undefined) return { kind: "table", tableName: table, region };
  if (deployment !== undefined) return { kind: "deployment", deployment, region };
  if (region !== undefined) throw new Error("--region goes with --deployment or --table");
  return { kind: "local" };
}
