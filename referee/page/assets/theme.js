/* Light or dark: as the reader's system says, until the button says otherwise. */

const THEME_KEY = "onefile theme";
const systemIsDark = matchMedia("(prefers-color-scheme: dark)");

/* The reader's choice, null for none or where the browser keeps none for files. */
function chosenTheme() {
  try {
    return localStorage.getItem(THEME_KEY);
  } catch {
    return null;
  }
}

function applyTheme() {
  document.documentElement.dataset.theme = chosenTheme() ?? (systemIsDark.matches ? "dark" : "light");
}

function switchTheme() {
  const { dataset } = document.documentElement;
  dataset.theme = dataset.theme === "dark" ? "light" : "dark";
  try {
    localStorage.setItem(THEME_KEY, dataset.theme);
  } catch {
    // The choice holds for this page alone.
  }
  redraw();
}

applyTheme();
