import "./styles/tokens.css";
import "./styles/page.css";
import "./styles/parts.css";
import { type ComponentChild, render } from "preact";
import { isPassing } from "./data/say-failure.ts";
import { Failure } from "./parts/failure.tsx";
import { startRouter } from "./shell/router.ts";
import { endedSentence, keptCredentials, signOut } from "./shell/session.ts";
import { readSettings } from "./shell/settings.ts";
import { Shell } from "./shell/shell.tsx";
import { signInWith } from "./shell/sign-in.tsx";
import { startTheme } from "./shell/theme.ts";

const againMs = 5_000;

const root = document.querySelector("#console") ?? document.body;

/** Preact keeps what it has not drawn, such as the line that the page loads. */
let isEmptied = false;
function show(page: ComponentChild): void {
  if (!isEmptied) root.replaceChildren();
  isEmptied = true;
  render(page, root);
}

/** A service that is away keeps nobody signed out. */
async function resume(credentials: string): Promise<void> {
  for (;;) {
    try {
      return await signInWith(credentials);
    } catch (failure) {
      if (!isPassing(failure)) return signOut(endedSentence);
      show(
        <main>
          <Failure error={failure} />
        </main>,
      );
    }
    await new Promise((resolve) => setTimeout(resolve, againMs));
  }
}

startTheme();
startRouter();
const credentials = keptCredentials();
if (credentials !== undefined) await resume(credentials);
show(<Shell version={readSettings().version} />);
