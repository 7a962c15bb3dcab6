import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";

type Options = { readonly requestTimeout?: number } | undefined;

type Handler = (command: unknown) => Promise<{ readonly output: unknown }>;

type CommandClass = new (
  input: object,
) => { resolveMiddleware(stack: unknown, config: unknown, options: Options): Handler };

/** Attempts shortly before a call's deadline have time limits of their own. */
const keptMax = 100;

/**
 * Keeps each command's middleware for each time limit, where the SDK puts it together anew for a call with options. An
 * empty command stands for all others, so that none is kept with its input.
 */
export function keptMiddleware(client: DynamoDBClient): DynamoDBClient {
  const kept = new Map<CommandClass, Map<number | undefined, Handler>>();
  const handlerOf = (command: CommandClass, options: Options): Handler => {
    const handlers = kept.get(command) ?? new Map<number | undefined, Handler>();
    kept.set(command, handlers);
    const known = handlers.get(options?.requestTimeout);
    if (known !== undefined) return known;
    if (handlers.size >= keptMax) handlers.clear();
    const handler = new command({}).resolveMiddleware(client.middlewareStack, client.config, options);
    handlers.set(options?.requestTimeout, handler);
    return handler;
  };
  const send = async (command: object, options?: Options) =>
    (await handlerOf(command.constructor as CommandClass, options)(command)).output;
  client.send = send as unknown as DynamoDBClient["send"];
  return client;
}
