import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";

export interface CountedCalls {
  readonly client: Pick<DynamoDBClient, "send">;
  /** Takes the calls since the last call. */
  take(): readonly string[];
}

export function countCalls(client: DynamoDBClient): CountedCalls {
  let calls: string[] = [];
  const counting = {
    send: (command: Parameters<DynamoDBClient["send"]>[0]) => {
      calls.push(command.constructor.name.replace(/Command$/, ""));
      return client.send(command);
    },
  };
  return {
    // The overloads of `send` are many; the arguments are handed on unchanged.
    client: counting as Pick<DynamoDBClient, "send">,
    take: () => {
      const taken = calls;
      calls = [];
      return taken;
    },
  };
}
