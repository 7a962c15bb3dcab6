import type { SecretStore } from "./aws/secrets/secret-store.ts";
import type { EdgeModel } from "./template/application.ts";
import { TemplateError } from "./template/json.ts";

/** The form is `{{resolve:secretsmanager:ARN:SecretString:json-key:stage:version}}`. */
const secretReference =
  /^\{\{resolve:secretsmanager:(arn(?::[^:]+){6}):SecretString:([^:]+):[^:]*:([^:]*)\}\}$/;

/** Source: https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/dynamic-references-secretsmanager.html */
export function edgeHeaders(edge: EdgeModel, secrets: SecretStore): Readonly<Record<string, string>> {
  return Object.fromEntries(
    edge.originHeaders.map(({ name, value }) => [
      name,
      value.startsWith("{{") ? resolve(value, secrets) : value,
    ]),
  );
}

function resolve(reference: string, secrets: SecretStore): string {
  const [, arn = "", key = "", versionId] = secretReference.exec(reference) ?? [];
  const version = secrets
    .find(arn)
    ?.versions.find((each) =>
      versionId ? each.versionId === versionId : each.stages.includes("AWSCURRENT"),
    );
  const value: unknown = JSON.parse(version?.secretString ?? "{}")[key];
  if (typeof value === "string") return value;
  throw new TemplateError(`there is no such secret: ${reference}`);
}
