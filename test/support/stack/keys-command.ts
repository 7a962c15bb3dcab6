import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { StackTable } from "./storage.ts";

const program = fileURLToPath(new URL("../../../infra/keys/main.ts", import.meta.url));

export interface KeysAnswer {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `npm run keys` on the stack's table as on a deployed one: --table names it, the environment has its address. */
export async function runKeysCommand(
  { name, url }: StackTable,
  args: readonly string[],
): Promise<KeysAnswer> {
  const env = {
    ...process.env,
    AWS_ENDPOINT_URL_DYNAMODB: url,
    AWS_REGION: "us-east-1",
    AWS_ACCESS_KEY_ID: "local",
    AWS_SECRET_ACCESS_KEY: "local",
  };
  return await new Promise((resolve) => {
    execFile(process.execPath, [program, ...args, "--table", name], { env }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}
