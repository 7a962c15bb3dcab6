import { createOpenAI } from "@ai-sdk/openai";
import { apiKeyOf } from "../api-key.ts";
import type { Connect } from "../provider-model.ts";

export const connect: Connect = ({ request, http, addresses }) => {
  const apiKey = apiKeyOf(request.key);
  const baseURL = addresses.openai ?? "https://api.openai.com/v1";
  const provider = createOpenAI({
    apiKey,
    baseURL,
    fetch: http.only(baseURL, "/responses"),
  });
  return {
    model: provider.responses(request.choice.model),
    // Without `store` the package itself requests the encrypted reasoning, to send it back.
    options: { openai: { store: false, parallelToolCalls: false, promptCacheKey: request.runId } },
    cacheMark: undefined,
    optional: "null",
    secrets: [apiKey],
  };
};
