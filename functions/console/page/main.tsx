import "./styles/tokens.css";
import "./styles/page.css";
import "./styles/parts.css";
import { render } from "preact";
import { ApiError } from "../../../shared/client/api-error.ts";
import { startRouter } from "./shell/router.ts";
import { keptCredentials, signOut } from "./shell/session.ts";
import { readSettings } from "./shell/settings.ts";
import { Shell } from "./shell/shell.tsx";
import { signInWith } from "./shell/sign-in.tsx";
import { startTheme } from "./shell/theme.ts";

startTheme();
startRouter();
const { version } = readSettings();
const root = document.querySelector("#console");
const credentials = keptCredentials();
if (credentials !== undefined) {
  try {
    await signInWith(credentials);
  } catch (failure) {
    const isRefused = failure instanceof ApiError && failure.status < 500;
    signOut(
      isRefused
        ? "The session has ended: the service refuses its credentials."
        : "The service cannot be reached now.",
    );
  }
}
if (root !== null) render(<Shell version={version} />, root);
