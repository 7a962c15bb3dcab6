import "../../../shared/page/tokens.css";
import "./styles/page.css";
import "./styles/sidebar.css";
import "./styles/reference.css";
import "./styles/call.css";
import "./styles/search.css";
import { exampleOrigin } from "../code/samples.ts";
import { startCall } from "./call/start-call.ts";
import { addCopyButtons } from "./copy-buttons.ts";
import { keepLanguage } from "./language.ts";
import { followOldLink } from "./old-links.ts";
import { startSearch } from "./search/start-search.ts";

followOldLink();
startSearch();
startCall();
nameThisService();
addCopyButtons();
keepLanguage();
document.querySelector("#sidebar [aria-current]")?.scrollIntoView({ block: "nearest" });

/** The pages are the same on every deployment; a copied sample reaches the one that shows it. */
function nameThisService(): void {
  for (const text of document.querySelectorAll("pre .string")) {
    text.textContent = text.textContent.replace(exampleOrigin, location.origin);
  }
}
