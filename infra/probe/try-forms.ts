import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { type Form, forms } from "./forms.ts";

/** Anything else is the name of an error that says nothing about the grant. */
type Verdict = "allowed" | "refused" | (string & {});

export interface FormResult {
  readonly form: string;
  readonly granted: Verdict;
  readonly outside: Verdict;
}

export interface TryFormsInput {
  readonly client: DynamoDBClient;
  readonly tableName: string;
  readonly pause: () => Promise<unknown>;
}

/** All forms share the pauses: a new role's policy takes some seconds to hold everywhere. */
const pausesMax = 12;

export async function tryForms({ client, tableName, pause }: TryFormsInput): Promise<readonly FormResult[]> {
  const verdictAt = async ({ send }: Form, at: string): Promise<Verdict> => {
    try {
      await send(client, { tableName, at });
      return "allowed";
    } catch (error) {
      const name = error instanceof Error ? error.name : String(error);
      return name === "AccessDeniedException" ? "refused" : name;
    }
  };
  const results: FormResult[] = [];
  let pauses = 0;
  for (const form of forms) {
    let granted = await verdictAt(form, form.granted);
    for (; granted === "refused" && pauses < pausesMax; pauses++) {
      await pause();
      granted = await verdictAt(form, form.granted);
    }
    results.push({ form: form.name, granted, outside: await verdictAt(form, form.outside) });
  }
  return results;
}
