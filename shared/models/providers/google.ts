import { createGoogle } from "@ai-sdk/google";
import { apiKeyOf } from "../api-key.ts";
import type { Connect } from "../provider-model.ts";

export const connect: Connect = ({ request, http, addresses }) => {
  const apiKey = apiKeyOf(request.key);
  const provider = createGoogle({
    apiKey,
    baseURL: addresses.google ?? "https://generativelanguage.googleapis.com/v1beta",
    fetch: http.fetch,
  });
  return {
    model: provider(request.choice.model),
    options: {},
    cacheMark: undefined,
    optional: "absent",
    secrets: [apiKey],
  };
};
