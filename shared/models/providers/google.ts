import { createGoogle } from "@ai-sdk/google";
import { apiKeyOf } from "../api-key.ts";
import type { Connect } from "../provider-model.ts";

export const connect: Connect = ({ request, http, addresses }) => {
  const apiKey = apiKeyOf(request.key);
  const baseURL = addresses.google ?? "https://generativelanguage.googleapis.com/v1beta";
  const provider = createGoogle({
    apiKey,
    baseURL,
    fetch: http.only(baseURL, ":generateContent"),
  });
  return {
    model: provider(request.choice.model),
    options: {},
    cacheMark: undefined,
    optional: "absent",
    secrets: [apiKey],
  };
};
