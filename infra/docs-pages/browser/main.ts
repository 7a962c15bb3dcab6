import "../../../shared/page/tokens.css";
import "./styles/page.css";
import "./styles/sidebar.css";
import "./styles/reference.css";
import "./styles/call.css";
import "./styles/search.css";
import { startCall } from "./call/start-call.ts";
import { addCopyButtons } from "./copy-buttons.ts";
import { keepLanguage } from "./language.ts";
import { followOldLink } from "./old-links.ts";
import { startSearch } from "./search/start-search.ts";

followOldLink();
startSearch();
startCall();
addCopyButtons();
keepLanguage();
document.querySelector("#sidebar [aria-current]")?.scrollIntoView({ block: "nearest" });
