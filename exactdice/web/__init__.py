"""Questions in a browser: a local web application made from the questions themselves.

Every question that neither reads nor writes files, and that nobody has to be asked during, is a
form made from its fields; its answer is a page, JSON and a download at the same address. Answers
are computed by worker processes under limits of time and memory (`workers`), each once (`desk`);
the pages are put together by `application`; `guard` keeps other sites and other machines out; and
`serving` starts it all for the command ``exactdice serve``. Starlette, Jinja and uvicorn come with
the extra ``web``, pictures to send are matplotlib's; nothing is loaded from another machine.
"""
