import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoModel } from "./dynamo-model.ts";

/** What a process meets that dies. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
}

/** A model with a client of which the call at a place, from 1 on, comes to nothing, or is done without an answer. */
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
        // Refused: nobody hears of that either.
      }
      throw new Interrupted("nobody will hear the answer");
    },
  } as Pick<DynamoDBClient, "send">;
  return { model, client, calls };
}
