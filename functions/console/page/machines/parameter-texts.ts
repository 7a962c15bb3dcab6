import type { UpdateMachineBody } from "../../../../shared/contract/machine.ts";

interface Read {
  readonly body?: Pick<UpdateMachineBody, "machine_parameters" | "machine_sensitive_parameters">;
  readonly problem?: string;
}

/** The change that a text of JSON says, or what is wrong with it. */
export function parametersOf(text: string): Read {
  try {
    const json: unknown = JSON.parse(text.trim() === "" ? "{}" : text);
    if (typeof json !== "object" || json === null || Array.isArray(json)) {
      return { problem: "Parameters are a JSON object." };
    }
    return { body: { machine_parameters: json as NonNullable<UpdateMachineBody["machine_parameters"]> } };
  } catch (error) {
    return { problem: `This is no JSON: ${error instanceof Error ? error.message : error}` };
  }
}

/** One secret a line, `name=value`; a value may have further equals signs. */
export function secretsOf(text: string): Read {
  const values: [string, string][] = [];
  for (const line of text.split("\n")) {
    if (line.trim() === "") continue;
    const at = line.indexOf("=");
    if (at <= 0) return { problem: "Each line is name=value." };
    const value = line.slice(at + 1).replace(/\r$/, "");
    const name = line.slice(0, at).trim();
    if (value === "") return { problem: `${name} has no value.` };
    values.push([name, value]);
  }
  return { body: { machine_sensitive_parameters: Object.fromEntries(values) } };
}
