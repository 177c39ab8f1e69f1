-- Each statement tests the memories that it takes by the kernel's rule: of 10,000 channels in a workspace, an answer shows thirty.
drop function memory_summary.readable(text, text, text);
