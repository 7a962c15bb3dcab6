import { addressOf, type RequestParts } from "../../../../shared/client/build-request.ts";
import { calledOperations } from "../../../../shared/contract/operations/called-operations.ts";

/** Values below these names are shown as `…`: they are the user's secrets. */
const secretName = /sensitive|secret|password|api_key$|access_key|service_account_json|content|credential/i;

/** The call as a shell's command, with the key in `$DAS_API_KEY` and without secrets of the body. */
export function curlOf(origin: string, id: string, { path, query, body }: RequestParts): string {
  const operation = calledOperations[id];
  if (operation === undefined) return "";
  const parts = [
    "curl -sS",
    ...(operation.method === "GET" ? [] : [`-X ${operation.method}`]),
    quoted(addressOf(origin, operation.path, { path, query })),
    '-H "Authorization: Bearer $DAS_API_KEY"',
    ...(body === undefined
      ? []
      : [
          `-H ${quoted("Content-Type: application/json")}`,
          `-d ${quoted(JSON.stringify(withoutSecrets(body)))}`,
        ]),
  ];
  return parts.join(" ");
}

function withoutSecrets(value: unknown, isSecret = false): unknown {
  if (Array.isArray(value)) return value.map((each) => withoutSecrets(each, isSecret));
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [
        name,
        withoutSecrets(each, isSecret || secretName.test(name)),
      ]),
    );
  }
  return isSecret && typeof value === "string" ? "…" : value;
}

/** Within single quotes a shell takes every character as it is, but for the quote itself. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
