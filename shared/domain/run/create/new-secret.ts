import type { SecretValues } from "../../secret-store.ts";
import type { Run } from "../run.ts";
import type { NewSecret } from "../run-store.ts";

export function newSecret(id: string, values: SecretValues): NewSecret | undefined {
  return Object.keys(values).length === 0 ? undefined : { id, values };
}

export function sensitiveFields(secret: NewSecret | undefined): Pick<Run, "secretId" | "sensitiveAliases"> {
  return { secretId: secret?.id ?? null, sensitiveAliases: Object.keys(secret?.values ?? {}) };
}
