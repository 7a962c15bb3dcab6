import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoModel } from "./dynamo-model.ts";

export class Interrupted extends Error {
  override readonly name = "Interrupted";
}

/** A model whose client interrupts the call of a given number, from 1: it is not done, or done without a response. */
export function interruptible() {
  const model = new DynamoModel();
  const calls = { made: 0, interruptedAt: 0, isDone: false };
  const client = {
    send: async (command: unknown) => {
      calls.made += 1;
      if (calls.made !== calls.interruptedAt) return model.answer(command);
      try {
        if (calls.isDone) model.answer(command);
      } catch {
        // A refusal is lost with the response.
      }
      throw new Interrupted("nobody will hear the answer");
    },
  } as Pick<DynamoDBClient, "send">;
  return { model, client, calls };
}
