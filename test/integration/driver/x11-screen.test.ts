import { screenSuite } from "../../support/ports/screen.suite.ts";
import { openX11World } from "../../support/screens/x11-world.ts";

screenSuite(openX11World);
