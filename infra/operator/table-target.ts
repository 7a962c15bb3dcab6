export type TableTarget =
  | { readonly kind: "local" }
  | { readonly kind: "table"; readonly tableName: string; readonly region: string | undefined }
  | { readonly kind: "deployment"; readonly deployment: string; readonly region: string | undefined };

export const tableOptions = {
  deployment: { type: "string" },
  table: { type: "string" },
  region: { type: "string" },
} as const;

export const tableUsage = `Without more it works on the local stack that "npm start" has started. On a deployed one, with AWS credentials as
for the AWS command line:

  --deployment NAME   finds the table of that deployment ("main" unless the setting says otherwise)
  --table NAME        names the table itself
  --region REGION     the Region; AWS_REGION otherwise
`;

/** @throws {Error} one sentence, when the options exclude each other. */
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
