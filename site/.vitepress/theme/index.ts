import { useData, useRoute } from "vitepress";
import Theme from "vitepress/theme-without-fonts";
import { watchPostEffect } from "vue";
import "../../../brand/tokens.css";
import "./theme.css";

export default {
  extends: Theme,
  setup() {
    const { isDark } = useData();
    const route = useRoute();
    // The pictures of the README follow the system. Here they follow the switch.
    watchPostEffect(() => {
      void route.path;
      for (const source of document.querySelectorAll<HTMLSourceElement>("picture source")) {
        source.dataset["media"] ??= source.media;
        source.media = source.dataset["media"].replace(
          "(prefers-color-scheme: dark)",
          isDark.value ? "(width > 0)" : "(width < 0)",
        );
      }
    });
  },
};
