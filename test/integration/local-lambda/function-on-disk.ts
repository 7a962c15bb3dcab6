import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LambdaService, type LambdaServiceInput } from "../../../infra/local/lambda/lambda-service.ts";
import type { LogLine, LogWriter } from "../../../infra/local/lambda/log-writer.ts";
import type { FunctionModel } from "../../../infra/local/template/application.ts";

/** Writes a bundle and describes it as the template would. */
export function functionOnDisk(source: string, changes: Partial<FunctionModel> = {}): FunctionModel {
  const folder = mkdtempSync(join(tmpdir(), "local-lambda-"));
  writeFileSync(join(folder, "index.mjs"), source);
  return {
    address: "stack/Sample",
    logicalId: "Sample",
    shortName: "Sample",
    name: "stack-Sample",
    arn: "arn:aws:lambda:us-east-1:000000000000:function:stack-Sample",
    region: "us-east-1",
    folder,
    handler: "index.handler",
    runtime: "nodejs24.x",
    environment: {},
    timeoutSeconds: 5,
    memoryMb: 256,
    reservedConcurrency: undefined,
    asyncRetriesMax: 2,
    asyncEventAgeMaxMs: 21_600_000,
    versions: [],
    aliases: {},
    callers: [],
    durable: undefined,
    role: { name: "role", arn: "arn:aws:iam::000000000000:role/role", policies: [] },
    ...changes,
  };
}

export class MemoryLog implements LogWriter {
  readonly lines: LogLine[] = [];
  readonly write = (line: LogLine): void => {
    this.lines.push(line);
  };
  readonly close = async (): Promise<void> => {};
}

export function serviceOf(fn: FunctionModel, changes: Partial<LambdaServiceInput> = {}): LambdaService {
  return new LambdaService({
    functions: [fn],
    credentialsOf: () => ({ accessKeyId: "key-of-role", secretAccessKey: "secret", sessionToken: "token" }),
    awsEndpointUrl: "http://127.0.0.1:1",
    addresses: [{ from: "https://api.execute-api.us-east-1.amazonaws.com", to: "http://127.0.0.1:2" }],
    log: new MemoryLog(),
    ...changes,
  });
}
