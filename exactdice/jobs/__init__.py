"""What is made of many questions: the tables, the figures, the papers, the verification."""
