// Where the links of a navigation need more room than there is, the one of this page is brought into view.

for (const here of document.querySelectorAll("nav [aria-current]")) here.scrollIntoView({ block: "nearest", inline: "center" });
